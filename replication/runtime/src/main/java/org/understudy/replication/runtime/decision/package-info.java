/** How a replica has updates decided by a database: on threads of their own, never by a request's thread. */
package org.understudy.replication.runtime.decision;
