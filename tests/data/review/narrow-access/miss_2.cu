/*
Wide already.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float4 *p, float *q)
{
    float4 v = p[threadIdx.x];
    q[threadIdx.x] = v.x * v.y + v.z * v.w;
}
