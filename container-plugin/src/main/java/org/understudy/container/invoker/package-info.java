/** Replication behind CXF's interceptors: the place for endpoints whose messages are authenticated or changed in CXF. */
package org.understudy.container.invoker;
