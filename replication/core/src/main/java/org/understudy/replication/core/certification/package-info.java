/** Decides, identically at every replica, whether an update takes effect at its place in the order. */
package org.understudy.replication.core.certification;
