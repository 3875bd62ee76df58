/*
The same bytes between shared memory and registers by accesses of 4, 8 and 16 bytes, none of them with a bank conflict.
What is read is added up; what is written differs from round to round, and the last of it is kept.

[lanescope]
kernel = "read<uint2>"
grid = 2
block = 256
args = { rounds = 3 }

[buffers]
q = "u32 i:512 = zeros"
*/
__device__ uint folded(uint v) { return v; }
__device__ uint folded(uint2 v) { return v.x + v.y; }
__device__ uint folded(uint4 v) { return v.x + v.y + v.z + v.w; }

__device__ void fill(uint v, uint &to) { to = v; }
__device__ void fill(uint v, uint2 &to) { to = make_uint2(v, v); }
__device__ void fill(uint v, uint4 &to) { to = make_uint4(v, v, v, v); }

// A round is 32 words a thread, and begins up to 31 vectors further on, so that no load can be kept from the last one.
template <class V>
__global__ void __launch_bounds__(256) read(uint *q, uint rounds)
{
    __shared__ __align__(16) uint words[8192 + 128];
    constexpr uint width = sizeof(V) / 4;
    for (uint i = threadIdx.x; i < 8192 + 128; i += 256) words[i] = i * 2654435761u;
    __syncthreads();

    uint sum = 0;
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        const V *from = (const V *)words + threadIdx.x + round % 32;
        #pragma unroll
        for (uint k = 0; k < 32 / width; k++) sum += folded(from[256 * k]);
    }
    q[256 * blockIdx.x + threadIdx.x] = sum;
}

template <class V>
__global__ void __launch_bounds__(256) write(uint *q, uint rounds)
{
    __shared__ __align__(16) uint words[8192];
    constexpr uint width = sizeof(V) / 4;
    V *to = (V *)words + threadIdx.x;
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        V v;
        fill(round + threadIdx.x, v);
        #pragma unroll
        for (uint k = 0; k < 32 / width; k++) to[256 * k] = v;
        asm volatile("" ::: "memory");
    }
    __syncthreads();
    q[256 * blockIdx.x + threadIdx.x] = words[8192 - width * (256 - (threadIdx.x + 1) % 256)];
}
