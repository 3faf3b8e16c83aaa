/** Replicates requests after CXF's interceptors, for endpoints whose messages CXF authenticates or changes. */
package org.understudy.container.invoker;
