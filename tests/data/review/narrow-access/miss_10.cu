/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float2 v = ((const float2 *)p)[threadIdx.x];
    ((float2 *)q)[threadIdx.x] = make_float2(v.y, v.x);  // near: 64 bits each
}
