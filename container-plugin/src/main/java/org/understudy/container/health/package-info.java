/** Health endpoints for load balancers and operators. */
package org.understudy.container.health;
