/*
The last rounds of a sum, by one warp.

[lanescope]
block = 32

[buffers]
p = "u32 i:32"
q = { type = "u32", axes = "i:1", init = "zeros", expect = [496] }
*/
__global__ void __launch_bounds__(32) tail(const uint *p, uint *q)
{
    __shared__ volatile uint sums[64];
    uint t = threadIdx.x;

    sums[t + 32] = 0;
    uint sum = p[t];
    for (uint distance = 16; distance > 0; distance /= 2) {
        sums[t] = sum;
        sum += sums[t + distance];
    }

    if (t == 0) q[0] = sum;
}
