/*
One large number and 31 ones, added in a row by one thread, and as a tree by the warp.

[lanescope]
block = 32

[buffers]
p = "f32 i:32 = [16777216, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
in_a_row = "f32 n:1 = zeros"
as_a_tree = "f32 n:1 = zeros"
*/
__global__ void __launch_bounds__(32) rounding(const float *p, float *in_a_row, float *as_a_tree)
{
    float sum = p[threadIdx.x];
    for (uint distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x == 0) as_a_tree[0] = sum;

    if (threadIdx.x == 0) {
        float row = p[0];
        for (uint i = 1; i < 32; i++) row += p[i];
        in_a_row[0] = row;
    }
}
