/*
Reads as fast as a memory gives: an array that L2 holds, past L1, and words of shared memory without bank conflicts. Each
thread adds up what it reads; the first thread of the first block writes down how many clocks and nanoseconds it took.

[lanescope]
kernel = "read_l2"
grid = 2
block = 256
args = { n = 1024, loads = 16 }

[buffers]
p = "u32 i:4096"
q = "u32 i:512 = zeros"
took = "u64 i:2 = zeros"
*/
struct Watch {
    unsigned long long clocks, nanoseconds;
};

__device__ Watch now()
{
    Watch w;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(w.clocks));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(w.nanoseconds));
    return w;
}

__device__ void write_down(Watch begin, unsigned long long *took)
{
    Watch end = now();
    if (blockIdx.x + threadIdx.x > 0) return;
    took[0] = end.clocks - begin.clocks;
    took[1] = end.nanoseconds - begin.nanoseconds;
}

// n vectors of 16 bytes; a warp reads 512 bytes side by side, the grid goes round as often as `loads` (a multiple of 8) wants.
__global__ void __launch_bounds__(1024) read_l2(const uint4 *p, uint *q, unsigned long long *took, uint n, uint loads)
{
    Watch begin = now();
    uint at = (blockDim.x * blockIdx.x + threadIdx.x) % n, step = blockDim.x * gridDim.x % n, sum = 0;
    #pragma unroll 1
    for (uint k = 0; k < loads; k += 8) {
        uint4 v[8];
        #pragma unroll
        for (uint u = 0; u < 8; u++) {
            v[u] = __ldcg(p + at);
            at += step;
            if (at >= n) at -= n;
        }
        #pragma unroll
        for (uint u = 0; u < 8; u++) sum += v[u].x + v[u].y + v[u].z + v[u].w;
    }
    q[blockDim.x * blockIdx.x + threadIdx.x] = sum;
    write_down(begin, took);
}

// `loads`: of 16 bytes a thread, a multiple of 8. Each round begins elsewhere, so that no load can be kept from the last.
__global__ void __launch_bounds__(1024) read_shared(uint *q, unsigned long long *took, uint loads)
{
    __shared__ __align__(16) uint words[4 * (1024 + 8 + 31)];
    for (uint i = threadIdx.x; i < 4 * (1024 + 8 + 31); i += blockDim.x) words[i] = i * 2654435761u;
    __syncthreads();
    Watch begin = now();
    uint sum = 0;
    #pragma unroll 1
    for (uint k = 0; k < loads; k += 8) {
        const uint4 *from = (const uint4 *)words + threadIdx.x + k / 8 % 32;
        #pragma unroll
        for (uint u = 0; u < 8; u++) {
            uint4 v = from[u];
            sum += v.x + v.y + v.z + v.w;
        }
    }
    q[blockDim.x * blockIdx.x + threadIdx.x] = sum;
    write_down(begin, took);
}
