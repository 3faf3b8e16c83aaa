/**
 * Publishes contracts: the service's own with the operations of standards that stand at the same endpoint, flattened into
 * its port type as WS-ResourceProperties 1.2 wants it, and those of the plugin's endpoints.
 */
package org.understudy.wsrf.contract;
