/*
The condition of branch_divergent with sides of one operation each, as in many introductions to divergence. The
compiler makes a selection of it: both values are computed by all lanes, one is taken, and there is no branch that
could diverge.

[lanescope]
grid = 2
block = 64

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 0161a43a328059aa6297a580ad06f25c9dbc57a8c6e6a1cebc5662fa99c4b525"
*/
__global__ void __launch_bounds__(64) branch_predicated(uint *q)
{
    uint i = 64 * blockIdx.x + threadIdx.x, x;

    if (i % 2 == 0) x = 5 * i + 1;
    else x = i ^ i >> 3;

    q[i] = x;
}
