/* Four pixels of a byte each at a time; rows are padded to 64 bytes.
[lanescope]
grid = 8
block = 16
[buffers]
in = "u8 y:8 x:64"
out = "u8 y:8 x:64 = zeros"
*/
#define PITCH 64
// A row is shorter than a cache line, on purpose.
__global__ void __launch_bounds__(32) darken(const unsigned char *in, unsigned char *out)
{
    const int at = blockIdx.x * PITCH + 4 * threadIdx.x;
    // lanescope: allow partial-lines (rows are short)
    const unsigned four = *(const unsigned *)(in + at);
    // lanescope: allow partial-lines (rows are short)
    *(unsigned *)(out + at) = (four >> 1) & 0x7f7f7f7fu;
}
