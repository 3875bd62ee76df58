/* Four loads of a warp, each of one quarter of its 128 elements.
[lanescope]
block = 64
[buffers]
in = "s32 row:2 col:128"
out = "s32 row:2 col:128 = zeros"
*/
__global__ __launch_bounds__(64) void quarters(const int *in, int *out)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
    const int at = 128 * row + lane;
    const int x0 = in[at];
    const int x1 = in[at + 32];
    const int x2 = in[at + 64];
    const int x3 = in[at + 96];
    // x:
    //   register:  col6 col5
    //   thread:    col4 col3 col2 col1 col0
    //   warp:      row0
    out[at] = x3;
    out[at + 32] = x2;
    out[at + 64] = x1;
    out[at + 96] = x0;
}
