/*
Wide loads: the offset pointer is taken as one to float4, in the ways in which people write that.

[lanescope]
grid = 4
block = 32

[buffers]
p = "f32 i:4 j:128"
q = "f32 i:4 j:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // Apply per-block offset
    //   before: shape (4,128), contiguous
    //   after: shape (128,), contiguous
    p += 128 * blockIdx.x;
    const float4 *v = (const float4 *)p;
    const auto *w = reinterpret_cast<const float4 *>(p) + threadIdx.x;
    const float4 *u = (const float4 *)&p[4 * threadIdx.x];
    const auto t = reinterpret_cast<const float4 *>(p)[threadIdx.x];
    // Apply per-block offset
    //   before: shape (4,32), contiguous
    //   after: shape (32,), contiguous
    q += 16 * blockIdx.x;
    q += 16 * blockIdx.x;
    q[threadIdx.x] = v[threadIdx.x].x + w->y + u->z + t.w + (*(const float4 *)(p + 4 * threadIdx.x)).x;
}
