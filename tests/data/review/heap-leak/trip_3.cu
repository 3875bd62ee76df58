/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// The list loses its first node.
struct Node {
    int value;
    Node *next;
};
__global__ void __launch_bounds__(64) k(int *q)
{
    Node *head = nullptr;
    for (int i = 0; i < 3; ++i) {
        head = new Node{i, head};  // finds
    }
    int sum = head->value;
    for (Node *n = head->next; n != nullptr;) {
        Node *next = n->next;
        sum += n->value;
        delete n;
        n = next;
    }
    q[threadIdx.x] = sum;
}
