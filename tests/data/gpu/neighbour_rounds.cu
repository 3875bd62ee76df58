/*
Each round, each lane takes its right neighbour's value: through shared memory with a barrier of the block, through
volatile shared memory with none (the lanes of a warp are trusted to stay together), or by a shuffle.

[lanescope]
kernel = "by_shuffle<float>"
grid = 2
block = 128
args = { rounds = 3 }

[buffers]
p = "f32 i:256"
q = "f32 i:256 = zeros"
*/
template <class T>
__global__ void __launch_bounds__(1024) by_barrier(const T *p, T *q, uint rounds)
{
    __shared__ T values[1024];
    uint i = blockDim.x * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32;
    uint right = threadIdx.x - lane + (lane + 1) % 32;
    T x = p[i];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        values[threadIdx.x] = x;
        __syncthreads();
        x = values[right];
        __syncthreads();
    }
    q[i] = x;
}

template <class T>
__global__ void __launch_bounds__(1024) by_volatile(const T *p, T *q, uint rounds)
{
    __shared__ volatile T values[1024];
    uint i = blockDim.x * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32;
    uint right = threadIdx.x - lane + (lane + 1) % 32;
    T x = p[i];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        values[threadIdx.x] = x;
        x = values[right];
    }
    q[i] = x;
}

template <class T>
__global__ void __launch_bounds__(1024) by_shuffle(const T *p, T *q, uint rounds)
{
    uint i = blockDim.x * blockIdx.x + threadIdx.x;
    T x = p[i];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) x = __shfl_sync(0xffffffff, x, threadIdx.x + 1);
    q[i] = x;
}
