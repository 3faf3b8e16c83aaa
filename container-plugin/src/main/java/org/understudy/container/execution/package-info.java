/** Executions that the replica has permitted, and updates that replicas request themselves. */
package org.understudy.container.execution;
