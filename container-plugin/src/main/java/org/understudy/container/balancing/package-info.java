/** Load balancing (Bartoli et al. 2005, 3.2.5): whether a replica serves a request itself or passes it to one with less load. */
package org.understudy.container.balancing;
