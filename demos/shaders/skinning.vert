// Skinning with a palette of bones: three rows of each bone's matrix, four bones for each vertex.
const int kBones = 24;
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec4 a_bones;
attribute vec4 a_weights;
uniform vec4 u_palette[kBones * 3];
uniform mat4 u_viewProjection;
varying vec3 v_position;
varying vec3 v_normal;
varying vec3 v_still;  // where the vertex is in the pose that bones move it from

void main() {
    vec3 position = vec3(0.0), normal = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        int row = int(a_bones[i]) * 3;
        vec4 x = u_palette[row], y = u_palette[row + 1], z = u_palette[row + 2];
        vec4 p = vec4(a_position, 1.0);
        position += a_weights[i] * vec3(dot(x, p), dot(y, p), dot(z, p));
        normal += a_weights[i] * vec3(dot(x.xyz, a_normal), dot(y.xyz, a_normal), dot(z.xyz, a_normal));
    }
    v_position = position;
    v_normal = normal;
    v_still = a_position;
    gl_Position = u_viewProjection * vec4(position, 1.0);
}
