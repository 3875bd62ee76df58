/* The block that ends last adds the sums of all.
[lanescope]
grid = 8
block = 128
[buffers]
in = "f32 n:1024 = random 9"
partial = "f32 b:8 = zeros"
total = "f32 n:1 = zeros"
ticket = "u32 n:1 = zeros"
*/
__device__ float add_up(float v)
{
    __shared__ alignas(16) float by_warp[4];
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0) by_warp[threadIdx.x / 32] = v;
    __syncthreads();
    const float4 s = *(const float4 *)by_warp;
    return s.x + s.y + s.z + s.w;
}

__global__ void __launch_bounds__(128) sum_all(const float *in, float *partial, float *total, unsigned *ticket)
{
    __shared__ bool last;
    const float mine = add_up(in[128 * blockIdx.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    const float all = add_up(threadIdx.x < gridDim.x ? ((volatile float *)partial)[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) *total = all;
}
