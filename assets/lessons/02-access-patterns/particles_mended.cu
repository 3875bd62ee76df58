/*
Particles: six arrays, three of the position, then three of the velocity.

[lanescope]
block = 128
args = { dt = 0.5 }

[buffers]
p = { type = "f32", axes = "c:6 i:128", init = 2, expect = "copy of p" }
moved = { type = "f32", axes = "i:128", init = "zeros", expect = 9 }
*/
__global__ void __launch_bounds__(128) particles(const float *p, float *moved, float dt)
{
    uint i = threadIdx.x;

    float x = p[i] + dt * p[128 * 3 + i];
    float y = p[128 * 1 + i] + dt * p[128 * 4 + i];
    float z = p[128 * 2 + i] + dt * p[128 * 5 + i];

    moved[i] = x + y + z;
}
