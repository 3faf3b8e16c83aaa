/**
 * Publishes the contracts of the plugin's endpoints and of the service. The service's contract also has the operations of
 * standards at the same endpoint, flattened into its port type as WS-ResourceProperties 1.2 requires.
 */
package org.understudy.wsrf.contract;
