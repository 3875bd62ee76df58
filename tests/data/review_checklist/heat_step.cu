/* One step of the heat equation on a plate of 64 x 64; the rim is kept.
[lanescope]
grid = [2, 8]
block = [32, 8]
[buffers]
now = "f32 y:64 x:64"
next = "f32 y:64 x:64 = uninitialised"
*/
__global__ void __launch_bounds__(256) heat(const float *now, float *next)
{
    const int x = 32 * blockIdx.x + threadIdx.x;
    const int y = 8 * blockIdx.y + threadIdx.y;
    const int at = 64 * y + x;
    const float c = now[at];
    if (x > 0 && x < 63 && y > 0 && y < 63)
        // lanescope: allow partial-lines (neighbours in a row)
        next[at] = c + 0.2f * (now[at - 1] + now[at + 1] + now[at - 64] + now[at + 64] - 4.0f * c);
    else
        next[at] = c;
}
