// Stands for those who read precompiled.h: a precompiled header belongs to a target with a source.
int main() {}
