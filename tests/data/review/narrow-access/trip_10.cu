/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // Rows of a warp, one below the other: a note, as another assignment is needed.
    float4 v = ((const float4 *)p)[threadIdx.x];
    q[threadIdx.x] = v.x;  // finds
    q[threadIdx.x + 32] = v.y;
    q[threadIdx.x + 64] = v.z;
    q[threadIdx.x + 96] = v.w;
}
