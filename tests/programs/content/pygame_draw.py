#!/usr/bin/env python3
"""pygame on SDL's opengles2 renderer: rectangles, lines, a texture scaled, turned and blended. Nothing moves."""

import pygame
from pygame._sdl2.video import Renderer, Texture, Window

pygame.display.init()
window = Window("pygame", size=(480, 360), position=(0, 0))
renderer = Renderer(window)
surface = pygame.Surface((64, 64), pygame.SRCALPHA)
surface.fill((32, 160, 224, 255))
pygame.draw.circle(surface, (255, 208, 64, 160), (32, 32), 24)
texture = Texture.from_surface(renderer, surface)
while not any(event.type == pygame.QUIT for event in pygame.event.get()):
    renderer.draw_color = (32, 48, 64, 255)
    renderer.clear()
    for i in range(12):
        renderer.draw_color = (20 * i, 255 - 20 * i, 128, 255)
        renderer.fill_rect(pygame.Rect(20 + 36 * i, 20, 30, 40 + 4 * i))
        renderer.draw_line((20, 340), (20 + 40 * i, 140))
    texture.draw(dstrect=pygame.Rect(240, 140, 160, 160))
    texture.draw(dstrect=pygame.Rect(60, 180, 100, 100), angle=30)
    renderer.present()
    pygame.time.wait(50)
