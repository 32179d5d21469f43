autocmd BufRead,BufNewFile *.vert,*.frag,*.glsl,*.vsh,*.fsh setfiletype glsl
