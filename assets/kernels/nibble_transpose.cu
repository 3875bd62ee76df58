/*
A local transpose of 4-bit data by masks and shifts: s0 (which nibble of a byte) with r0 (which register).

[lanescope]
block = 32

[buffers]
p = "u4 i:16 k:32"
q = "u4 i:16 k:32 = zeros"
*/
__global__ void __launch_bounds__(32) nibble_transpose(const uint *p, uint *q)
{
    uint x0 = p[threadIdx.x];
    uint x1 = p[threadIdx.x + 32];

    uint y0 = (x0 & 0x0f0f0f0f) | ((x1 & 0x0f0f0f0f) << 4);
    uint y1 = ((x0 & 0xf0f0f0f0) >> 4) | (x1 & 0xf0f0f0f0);

    q[threadIdx.x] = y0;
    q[threadIdx.x + 32] = y1;
}
