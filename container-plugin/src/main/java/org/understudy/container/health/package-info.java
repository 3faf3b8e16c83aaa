/** What a load balancer and an operator look at. */
package org.understudy.container.health;
