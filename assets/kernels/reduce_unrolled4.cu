/*
reduce_unrolled2 with four elements a thread. The four loads do not depend on each other, so that all of them are in
flight at once. reduce_unrolled8 has eight.

[lanescope]
grid = 2
block = 128
args = { n = 1000 }

[buffers]
p = "u32 i:1024"

[buffers.q]
type = "u32"
axes = "b:2"
init = "zeros"
expect = "sha256 d45e2590809118ed8fa8bc4deb755492fe0cf2fa8f774eb5cf379c3437947873"
*/
__global__ void __launch_bounds__(128) reduce_unrolled4(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 512 * blockIdx.x + t;

    uint x[4];
    #pragma unroll
    for (uint k = 0; k < 4; k++) x[k] = i + 128 * k < n ? p[i + 128 * k] : 0;
    p[i] = (x[0] + x[1]) + (x[2] + x[3]);
    __syncthreads();

    // lanescope: expect divergence (in the rounds of the last warp)
    for (uint distance = 64; distance > 0; distance /= 2) {
        if (t < distance) p[i] += p[i + distance];
        __syncthreads();
    }

    if (t == 0) q[blockIdx.x] = p[i];
}
