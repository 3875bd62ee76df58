/*
A sum over the lanes of a warp in five butterfly steps: after the first, each lane holds a sum of two elements, in the
end of all 32.

[lanescope]
block = 32

[buffers]
p = "f32 i:32"

[buffers.q]
type = "f32"
axes = "i:32"
init = "zeros"
expect = "sha256 63a34617d40e5b0ff44b480be3d865a582174e36de13bdae25ea5f270811d688"
*/
__global__ void __launch_bounds__(32) warp_sum(const float *p, float *q)
{
    float sum = p[threadIdx.x];

    // sum has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    // Each lane adds the partner's sum to its own; lanes that differ in one bit of their number are partners.
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, mask);

    q[threadIdx.x] = sum;
}
