/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // Four adjacent stores in each thread.
    float4 v = ((const float4 *)p)[threadIdx.x];
    float *r = q + 4 * threadIdx.x;
    r[0] = v.x;  // finds
    r[1] = v.y;
    r[2] = v.z;
    r[3] = v.w;
}
