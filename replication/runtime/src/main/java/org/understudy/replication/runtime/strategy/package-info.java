/** Which strategies and group channels are installed, and whether a deployment has what a strategy requires. */
package org.understudy.replication.runtime.strategy;
