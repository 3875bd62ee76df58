/*
reduce_interleaved where a block has two elements a thread: each thread first adds the element a block further up to
its own, and the rounds continue as before. Half as many blocks run the same number of rounds. Each element has its own
guard: one guard for both, as it is often written (both or 0), loses elements if n is no multiple of
256. reduce_unrolled4 and reduce_unrolled8 begin with four and eight.

[lanescope]
grid = 4
block = 128
args = { n = 1000 }

[buffers]
p = "u32 i:1024"

[buffers.q]
type = "u32"
axes = "b:4"
init = "zeros"
expect = "sha256 3b747ec143a565057cb8174f7ec6dfe2a670ccc1042f6763e9f78750c704c18a"
*/
__global__ void __launch_bounds__(128) reduce_unrolled2(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 256 * blockIdx.x + t;

    if (i + 128 < n) p[i] += p[i + 128];
    __syncthreads();

    for (uint distance = 64; distance > 0; distance /= 2) {
        if (t < distance && i + distance < n) p[i] += p[i + distance];
        __syncthreads();
    }

    if (t == 0) q[blockIdx.x] = p[i];
}
