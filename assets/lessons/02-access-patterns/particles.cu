/*
Particles: six floats each, three of the position, then three of the velocity.

[lanescope]
block = 128
args = { dt = 0.5 }

[buffers]
p = { type = "f32", axes = "i:128 c:6", init = 2, expect = "copy of p" }
moved = { type = "f32", axes = "i:128", init = "zeros", expect = 9 }
*/
__global__ void __launch_bounds__(128) particles(const float *p, float *moved, float dt)
{
    uint i = threadIdx.x;

    float x = p[6 * i] + dt * p[6 * i + 3];
    float y = p[6 * i + 1] + dt * p[6 * i + 4];
    float z = p[6 * i + 2] + dt * p[6 * i + 5];

    moved[i] = x + y + z;
}
