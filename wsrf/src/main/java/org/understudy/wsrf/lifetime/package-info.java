/** WS-ResourceLifetime 1.2: resources end on request or at their termination time. */
package org.understudy.wsrf.lifetime;
