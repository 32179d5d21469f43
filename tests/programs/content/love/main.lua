-- LÖVE: a canvas, a shader, blending, lines, the stencil and text; nothing moves.
function love.load()
    canvas = love.graphics.newCanvas(128, 128)
    love.graphics.setCanvas(canvas)
    love.graphics.clear(0.2, 0.4, 0.1, 1)
    love.graphics.setColor(1, 0.5, 0)
    love.graphics.circle("fill", 64, 64, 50)
    love.graphics.setCanvas()
    shader = love.graphics.newShader [[
        extern number blue;
        vec4 effect(vec4 colour, Image image, vec2 at, vec2 pixel) { return Texel(image, at) * vec4(at, blue, 1.0); }
    ]]
    shader:send("blue", 0.5)
end

function love.draw()
    love.graphics.setColor(1, 1, 1)
    love.graphics.print(love.graphics.getRendererInfo(), 20, 20)
    love.graphics.draw(canvas, 50, 60, 0.3, 1.5, 1.5)
    love.graphics.setShader(shader)
    love.graphics.draw(canvas, 300, 60)
    love.graphics.setShader()
    love.graphics.setColor(0.3, 0.6, 1, 0.5)
    love.graphics.polygon("fill", 100, 300, 400, 320, 250, 450)
    love.graphics.setLineWidth(5)
    love.graphics.setColor(1, 0, 0)
    love.graphics.line(10, 400, 300, 350, 500, 460)
    love.graphics.stencil(function() love.graphics.circle("fill", 500, 300, 60) end, "replace", 1)
    love.graphics.setStencilTest("greater", 0)
    love.graphics.setColor(1, 1, 0)
    love.graphics.rectangle("fill", 450, 280, 200, 100)
    love.graphics.setStencilTest()
end
