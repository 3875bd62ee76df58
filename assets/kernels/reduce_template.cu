/*
The sum of reduce_unrolled_fully for blocks of any power of two from 64 to 1024: the number of threads is a template
argument, so that rounds that the block does not need leave no code. The header launches blocks of 128 and of 256
threads, each over the same array.

[lanescope]

[[launch]]
kernel = "reduce_template<128>"
grid = 2
block = 128
args = ["p", "q", 2000]

[[launch]]
kernel = "reduce_template<256>"
grid = 1
block = 256
args = ["r", "s", 2000]

[buffers]
p = "u32 i:2048"
r = "u32 i:2048"

[buffers.q]
type = "u32"
axes = "b:2"
init = "zeros"
expect = "sha256 cfe6f35b6fd489e127b3ffbe57d4f1b2c67be7699ee737c0480731c0e59ed869"

[buffers.s]
type = "u32"
axes = "b:1"
init = "zeros"
expect = "sha256 8b0f8ab6079ef536b72ba0ef00f5c9ee447b370e99a10b89c17d13c880039fb3"
*/
template <uint threads>
__global__ void __launch_bounds__(threads) reduce_template(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 8 * threads * blockIdx.x + t;

    uint x[8];
    #pragma unroll
    for (uint k = 0; k < 8; k++) x[k] = i + threads * k < n ? p[i + threads * k] : 0;
    p[i] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    __syncthreads();

    if (threads >= 1024) { if (t < 512) p[i] += p[i + 512]; __syncthreads(); }
    if (threads >= 512) { if (t < 256) p[i] += p[i + 256]; __syncthreads(); }
    if (threads >= 256) { if (t < 128) p[i] += p[i + 128]; __syncthreads(); }
    if (threads >= 128) { if (t < 64) p[i] += p[i + 64]; __syncthreads(); }

    // lanescope: expect partial-lines, narrow-access (p[i + 32] is of another lane)
    if (t < 32) {
        uint sum = p[i] + p[i + 32];
        #pragma unroll
        for (uint distance = 16; distance > 0; distance /= 2) {
            __syncwarp();
            p[i] = sum;
            __syncwarp();
            sum += p[i + distance];
        }
        if (t == 0) q[blockIdx.x] = sum;
    }
}
