/** Transactions of several calls: calls inside them at this group, and the seam to coordinators of other protocols. */
package org.understudy.container.transaction;
