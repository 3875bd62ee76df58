/*
One large number and 31 ones, added as a tree by the warp.

[lanescope]
block = 32

[buffers]
p = "f32 i:32 = [16777216, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
sums = "f32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) as_a_tree(const float *p, float *sums)
{
    float sum = p[threadIdx.x];
    for (uint distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);

    sums[threadIdx.x] = sum;  // only lane 0 has the sum of all
}
