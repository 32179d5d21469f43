// A body that shines by itself. Linear light.
precision mediump float;

void main() { gl_FragColor = vec4(14.0, 10.0, 6.0, 1.0); }
