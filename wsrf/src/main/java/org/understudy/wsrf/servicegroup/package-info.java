/** WS-ServiceGroup 1.2: one group of services for a deployment, and its entries, which are resources themselves. */
package org.understudy.wsrf.servicegroup;
