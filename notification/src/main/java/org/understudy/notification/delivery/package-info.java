/**
 * Getting notifications to consumers: which subscription gets what, a queue for each, sockets that none of them can hold up,
 * and how far each has come, so that another replica can go on.
 */
package org.understudy.notification.delivery;
