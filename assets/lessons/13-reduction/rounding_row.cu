/*
One large number and 31 ones, added one after the other by a single thread.

[lanescope]
block = 1

[buffers]
p = "f32 i:32 = [16777216, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
sum = "f32 n:1 = zeros"
*/
__global__ void __launch_bounds__(1) in_a_row(const float *p, float *sum)
{
    float row = p[0];
    for (uint i = 1; i < 32; i++) row += p[i];
    sum[0] = row;
}
