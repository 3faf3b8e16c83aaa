/** Which replica serves which requests, and which duties this one has, in the current view. */
package org.understudy.replication.runtime.routing;
