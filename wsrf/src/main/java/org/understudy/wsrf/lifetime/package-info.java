/** WS-ResourceLifetime 1.2: resources end when asked to or when their time has come. */
package org.understudy.wsrf.lifetime;
