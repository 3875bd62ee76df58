/*
Prefix sums, a sort of 32 keys and a transpose of 32 structures of seven words, each within a warp and round after round:
through shared memory with barriers of the block, through shared memory with barriers of the warp, or by shuffles, which
need no shared memory.

[lanescope]
kernel = "scan<by_shuffle>"
grid = 2
block = 128
args = { rounds = 3 }

[buffers]
p = "u32 i:256"
q = "u32 i:256 = zeros"
*/
enum How { by_barrier, by_warp_barrier, by_shuffle };

template <How how>
__device__ void wait()
{
    if (how == by_barrier) __syncthreads();
    else __syncwarp();
}

template <How how>
__global__ void __launch_bounds__(1024) scan(const uint *p, uint *q, uint rounds)
{
    __shared__ uint words[how == by_shuffle ? 1 : 1024];
    uint i = blockDim.x * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32, x = p[i];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++)
        #pragma unroll
        for (uint distance = 1; distance < 32; distance *= 2) {
            uint below;
            if (how == by_shuffle) below = __shfl_up_sync(0xffffffff, x, distance);
            else {
                words[threadIdx.x] = x;
                wait<how>();
                below = words[threadIdx.x - (lane >= distance ? distance : 0)];
                wait<how>();
            }
            if (lane >= distance) x += below;
        }
    q[i] = x;
}

// A round begins by a product that changes the order of the keys.
template <How how>
__global__ void __launch_bounds__(1024) sort(const uint *p, uint *q, uint rounds)
{
    __shared__ uint words[how == by_shuffle ? 1 : 1024];
    uint i = blockDim.x * blockIdx.x + threadIdx.x, lane = threadIdx.x % 32, key = p[i];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        key *= 2654435761u;
        #pragma unroll
        for (uint length = 2; length <= 32; length *= 2)
            #pragma unroll
            for (uint distance = length / 2; distance > 0; distance /= 2) {
                uint other;
                if (how == by_shuffle) other = __shfl_xor_sync(0xffffffff, key, distance);
                else {
                    words[threadIdx.x] = key;
                    wait<how>();
                    other = words[threadIdx.x ^ distance];
                    wait<how>();
                }
                bool upper = (lane & distance) != 0, falling = (lane & length) != 0;
                key = upper != falling ? max(key, other) : min(key, other);
            }
    }
    q[i] = key;
}

// Register r of lane s holds word 32 r + s of the warp's 224; afterwards register c of lane t holds word 7 t + c.
template <How how>
__global__ void __launch_bounds__(256) transpose(const uint *p, uint *q, uint rounds)
{
    __shared__ uint words[how == by_shuffle ? 1 : 8][224];
    uint lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = 7 * (blockDim.x * blockIdx.x + threadIdx.x - lane);
    uint in[7], x[7];
    #pragma unroll
    for (uint r = 0; r < 7; r++) in[r] = p[first + 32 * r + lane];
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        if (how == by_shuffle) {
            #pragma unroll
            for (uint c = 0; c < 7; c++) {
                uint asker = 23 * (lane - c) % 32, wanted = (7 * asker + c) / 32;
                uint low = wanted & 1 ? in[1] : in[0], middle = wanted & 1 ? in[3] : in[2];
                uint high = wanted & 1 ? in[5] : in[4], lower = wanted & 2 ? middle : low;
                uint upper = wanted & 2 ? in[6] : high;
                x[c] = __shfl_sync(0xffffffff, wanted & 4 ? upper : lower, 7 * lane + c);
            }
        } else {
            #pragma unroll
            for (uint r = 0; r < 7; r++) words[warp][32 * r + lane] = in[r];
            wait<how>();
            #pragma unroll
            for (uint c = 0; c < 7; c++) x[c] = words[warp][7 * lane + c];
            wait<how>();
        }
        #pragma unroll
        for (uint c = 0; c < 7; c++) in[c] = x[c];
    }
    #pragma unroll
    for (uint r = 0; r < 7; r++) q[first + 32 * r + lane] = in[r];
}
