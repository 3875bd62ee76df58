/*
The name of a rule while it knew only loads.

[lanescope]
block = 32

[buffers]
p = "f32 i:2 k:32"
q = "f32 i:2 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];  // lanescope: allow narrow-load
}
