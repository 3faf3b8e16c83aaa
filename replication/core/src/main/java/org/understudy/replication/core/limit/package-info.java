/** Limits on what a group stores, and how clients share them. */
package org.understudy.replication.core.limit;
