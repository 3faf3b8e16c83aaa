/**
 * Group replication (Bartoli, Prica, Antoniutti di Muro 2005): every member of the view executes requests, and updates are
 * certified at their places in one order.
 */
package org.understudy.replication.core.group;
