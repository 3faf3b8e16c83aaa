/** A service and its clients with other versions of its contract. */
package org.understudy.container.evolution;
