/* Counts bytes in shared memory, then adds what was found.
[lanescope]
grid = 4
block = 256
[buffers]
text = "u8 n:4096 = random 5"
bins = "u32 b:256 = zeros"
*/
__global__ void __launch_bounds__(256) count_bytes(const unsigned char *text, unsigned *bins)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    const uchar4 four = ((const uchar4 *)text)[256 * blockIdx.x + threadIdx.x];
    atomicAdd(&mine[four.x], 1u);
    atomicAdd(&mine[four.y], 1u);
    atomicAdd(&mine[four.z], 1u);
    atomicAdd(&mine[four.w], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
