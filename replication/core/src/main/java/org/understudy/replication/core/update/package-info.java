/** State updates: what an execution changed, and their form in bytes. */
package org.understudy.replication.core.update;
