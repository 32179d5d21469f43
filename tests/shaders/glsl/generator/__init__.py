"""Generator of the GLSL ES 1.00 cases; ../../generate_glsl.py is the command."""
